import { render } from 'preact'
import { EventEditor } from '../console/edit/event-editor.tsx'

const root = document.getElementById('edit')
if (root !== null) {
  root.textContent = ''
  render(<EventEditor />, root)
}
