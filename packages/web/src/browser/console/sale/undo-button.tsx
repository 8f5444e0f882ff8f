import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import type { TrailEntry } from '../kit/answers.ts'
import { call, explain } from '../kit/api.ts'
import { page, words } from '../kit/page.ts'
import { act, base } from './sale-state.ts'

/** Takes a change of the room back; nothing for what cannot be taken back. */
export function UndoButton({ entry }: { entry: TrailEntry }): VNode | null {
  const [problem, setProblem] = useState('')
  if (entry.undoneBy !== null) return <span>({words.trail.undone})</span>
  if (entry.kind !== 'room.changed' || !page.mayChange) return null
  const undo = (): void => {
    act(call('POST', `${base}/trail/${entry.id}/undo`)).then(
      () => setProblem(''),
      (error) => setProblem(explain(error)),
    )
  }
  return (
    <>
      <button type="button" class="plain" onClick={undo}>
        {words.trail.undo}
      </button>
      {problem !== '' && <span role="alert"> {problem}</span>}
    </>
  )
}
