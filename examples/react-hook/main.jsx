import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { WaitingRoom } from './waiting-room.jsx'

const eventId = new URLSearchParams(location.search).get('event')

createRoot(document.getElementById('root')).render(
  <StrictMode>
    <WaitingRoom eventId={eventId}>
      <p role="status">You are in</p>
    </WaitingRoom>
  </StrictMode>,
)
