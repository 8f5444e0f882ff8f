import Done from './done.jsx'

export default function Page() {
  return (
    <main>
      <h1>You are in</h1>
      <Done />
    </main>
  )
}
