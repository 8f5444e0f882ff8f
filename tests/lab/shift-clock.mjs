// Loaded before a server of the laboratory: its clock is wrong by as much as the variable says.
const shiftMs = Number(process.env.CLOCK_SHIFT_MS ?? 0)
const RightDate = Date
globalThis.Date = class extends RightDate {
  constructor(...parts) {
    if (parts.length === 0) super(RightDate.now() + shiftMs)
    else super(...parts)
  }
  static now() {
    return RightDate.now() + shiftMs
  }
}
