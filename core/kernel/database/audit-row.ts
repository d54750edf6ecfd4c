/** Size limits of an audit row, so that long texts cannot fill the log. */

/** Characters. */
const longestDetail = 1000
const longestText = 60
const longestAddress = 64

function cutText(text: string): string {
  return text.length > longestText ? `${text.slice(0, longestText)}…` : text
}

/** An entry's detail as JSON. Where it is too long its texts are cut; where that is not enough it says so. */
export function auditDetail(detail: Record<string, unknown>): string {
  const text = JSON.stringify(detail)
  if (text.length <= longestDetail) return text
  const short = JSON.stringify(detail, (_, value: unknown) => (typeof value === 'string' ? cutText(value) : value))
  return short.length <= longestDetail ? short : JSON.stringify({ cut: true })
}

/** An address from a proxy's header may be any text. */
export function auditAddress(address: string): string {
  return address.slice(0, longestAddress)
}
