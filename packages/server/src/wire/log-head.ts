import Type from 'typebox'

/** A signed head of a room's log. */
export const Head = Type.Object(
  {
    size: Type.Integer({ description: 'How many entries it covers' }),
    root: Type.String({ description: 'The root of the Merkle tree over them, in hex' }),
    at: Type.String({ format: 'date-time' }),
    kid: Type.String({ description: 'The key that signed it, of `/.well-known/jwks.json`' }),
    checkpoint: Type.String({ description: 'A C2SP signed note: origin, size, base64 root, and the signature' }),
  },
  {
    examples: [
      {
        size: 8,
        root: '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
        at: '2026-11-15T10:00:00.000Z',
        kid: 'YJmPPH5ZUO5ErC6hiHSkbTJbuU0hqKgsyRXjBlJ4nDc',
        checkpoint:
          'tickets.example/rooms/0199a7a4-5c38-7d6a-9f0e-1b2c3d4e5f60\n8\nXcnaeacGWamtVZy3Ad7ZoqudgjqtL0lgz+Nw7/RgQyg=\n\n— tickets.example/rooms/0199a7a4-5c38-7d6a-9f0e-1b2c3d4e5f60 …\n',
      },
    ],
  },
)
