import { HOST_FACES } from '@seatwise/domain'
import Type from 'typebox'
import { orNull } from './or-null.ts'

const Nullable = <Schema extends Type.TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])
const imageProperties = { url: Type.String(), width: Type.Integer(), height: Type.Integer() }

const LogoAnswer = Type.Object(imageProperties, { description: 'In pixels' })

/** The picture of an event. */
export const EventImageAnswer = Type.Object(
  {
    ...imageProperties,
    alt: Type.String({ description: 'What it shows; empty until the organiser has said it' }),
    focus: Type.Object(
      { x: Type.Integer(), y: Type.Integer() },
      { description: 'What stays in view where it is cut: percent from the left and from the top' },
    ),
  },
  { description: 'In pixels' },
)

const hostProperties = {
  name: Type.String(),
  slug: Type.String({ description: 'The end of the address of its page, `/o/…`' }),
  logo: Nullable(LogoAnswer),
  colour: orNull<string>('string', { description: 'Shown darker or lighter where it could not be read otherwise' }),
  face: Type.Enum([...HOST_FACES], { description: 'The letters of headings' }),
}

/** The organization behind an event, as visitors see it. */
export const HostAnswer = Type.Object(hostProperties)

export const HostProfileAnswer = Type.Object({
  id: Type.String({ format: 'uuid' }),
  ...hostProperties,
  about: Type.String({ description: 'Markdown' }),
  website: orNull<string>('string'),
})
