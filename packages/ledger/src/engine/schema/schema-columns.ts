import type { ColumnType } from 'kysely'

/** Read as a Date; written as a Date, or as text for PostgreSQL to read. */
export type Time = ColumnType<Date, Date | string, Date | string>
/** Set by the database's own clock unless given. */
export type StampedTime = ColumnType<Date, Date | string | undefined, Date | string>
export type NullableTime = ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
/** Null unless given. */
export type Nullable<Value> = ColumnType<Value | null, Value | null | undefined, Value | null>
/** Read as the value; written as an object or as JSON text. An array must be written as text: `pg` makes others of it. */
export type Json<Value> = ColumnType<Value, Value | string, Value | string>
