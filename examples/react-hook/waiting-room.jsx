import { usePlace } from './use-place.js'

export function WaitingRoom({ eventId, children }) {
  const { place, state, error } = usePlace(eventId)
  if (error !== null) return <p role="alert">You cannot join: {error.message}</p>
  switch (state?.status) {
    case 'waiting':
      return <p role="status">You are number {state.position} in line</p>
    case 'admitted':
      return (
        <button type="button" onClick={() => place.claim()}>
          It is your turn: go in
        </button>
      )
    case 'active':
      return children
    case undefined:
      return <p role="status">One moment …</p>
    default:
      return <p role="status">Your place is gone ({state.status})</p>
  }
}
