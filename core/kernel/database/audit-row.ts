/** Size limits of an audit row, so that long texts cannot fill the log. */

const maxDetail = 1000
const maxText = 60
const maxAddress = 64

function cutText(text: string): string {
  return text.length > maxText ? `${text.slice(0, maxText)}…` : text
}

/** An entry's detail as JSON. If it is too long, its texts are cut; if that is not enough, it becomes `cut`. */
export function auditDetail(detail: Record<string, unknown>): string {
  const text = JSON.stringify(detail)
  if (text.length <= maxDetail) return text
  const short = JSON.stringify(detail, (_, value: unknown) => (typeof value === 'string' ? cutText(value) : value))
  return short.length <= maxDetail ? short : JSON.stringify({ cut: true })
}

/** An address, cut to its limit: from a proxy's header it may be any text. */
export function auditAddress(address: string): string {
  return address.slice(0, maxAddress)
}
