/** Room for 68 billion entries in each epoch, and for 131,071 epochs, inside the integers that stay exact. */
const SEQ_SPAN = 2 ** 36

/**
 * A fence orders admissions: a pass with an older fence is refused. It is the (epoch, seq) of its log entry as one number,
 * so that it only grows, also across a rebuild. Rule M11.
 */
export function fenceOf(epoch: number, seq: number): number {
  return epoch * SEQ_SPAN + seq
}
