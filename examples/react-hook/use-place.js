// Copy this file into your app: a hook is too little for a package of its own.
import { joinLine } from '@seatwise/client'
import { useCallback, useEffect, useState, useSyncExternalStore } from 'react'

/**
 * The visitor's place in the line of an event. `state` is null until they have joined; `error` says why they could not.
 * `place` has the methods: claim, reserve, pay, leave.
 */
export function usePlace(eventId) {
  const [place, setPlace] = useState(null)
  const [error, setError] = useState(null)

  useEffect(() => {
    let isOver = false
    let opened = null
    joinLine({ eventId }).then(
      (joined) => {
        opened = joined
        if (isOver) joined.close()
        else setPlace(joined)
      },
      (reason) => isOver || setError(reason),
    )
    return () => {
      isOver = true
      opened?.close() // stops polling; the visitor keeps the place
      setPlace(null)
    }
  }, [eventId])

  const subscribe = useCallback((listener) => place?.on(listener) ?? (() => undefined), [place])
  const state = useSyncExternalStore(subscribe, () => place?.state ?? null)
  return { place, state, error }
}
