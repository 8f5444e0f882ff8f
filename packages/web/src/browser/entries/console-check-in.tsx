import { render } from 'preact'
import { CheckIn } from '../console/check-in/check-in.tsx'

const root = document.getElementById('check-in')
if (root !== null) {
  root.textContent = ''
  render(<CheckIn />, root)
}
