import { render } from 'preact'
import { Organizations } from '../console/settlement/organizations.tsx'

const root = document.getElementById('organizations')
if (root !== null) {
  root.textContent = ''
  render(<Organizations />, root)
}
