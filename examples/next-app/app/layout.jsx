export const metadata = { title: 'A shop behind a waiting room' }

export default function Layout({ children }) {
  return (
    <html lang="en">
      <body>{children}</body>
    </html>
  )
}
