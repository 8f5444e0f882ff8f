import Type from 'typebox'

export const nullable = <Schema extends Type.TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])
export const Seat = Type.Object({ type: Type.String(), row: nullable(Type.String()), number: nullable(Type.Integer()) })
export const EticketAnswer = Type.Object({
  id: Type.String({ format: 'uuid' }),
  reservationId: Type.String({ format: 'uuid' }),
  eventId: Type.String({ format: 'uuid' }),
  seatId: Type.String({ format: 'uuid' }),
  status: Type.Union([Type.Literal('VALID'), Type.Literal('USED'), Type.Literal('VOID')]),
  code: nullable(Type.String({ description: 'What the QR code says: a JWT (EdDSA) for /.well-known/jwks.json' })),
  shortCode: nullable(Type.String({ description: 'Eight symbols to type at the door; unique for the event' })),
  event: Type.Object({
    name: Type.String(),
    location: Type.String(),
    timeZone: Type.String({ description: 'IANA name, of the venue' }),
    startsAt: nullable(Type.String()),
    endsAt: nullable(Type.String()),
  }),
  seat: Seat,
  holder: nullable(Type.String({ description: 'The name that the buyer gave for this ticket' })),
  checkedInAt: nullable(Type.String()),
})
