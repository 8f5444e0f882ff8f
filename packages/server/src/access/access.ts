export const ROLES = ['guest', 'buyer', 'staff', 'organizer', 'admin'] as const
export type Role = (typeof ROLES)[number]

/** Who may call a route: everybody, everybody with a valid access token, or the holders of one of these roles. */
export type Access = 'public' | 'signed-in' | readonly Role[]

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Every route states it; a route that does not keeps the server from starting. */
    access?: Access
  }
}
