/** Size limits of an audit row, so that long texts cannot fill the log. */

const longestDetail = 1000
const longestText = 60
const longestAddress = 64

function cutText(text: string): string {
  return text.length > longestText ? `${text.slice(0, longestText)}…` : text
}

/** An entry's detail as JSON. If it is too long, texts are cut; if that is not enough, it is marked as left out. */
export function auditDetail(detail: Record<string, unknown>): string {
  const text = JSON.stringify(detail)
  if (text.length <= longestDetail) return text
  const short = JSON.stringify(detail, (_, value: unknown) => (typeof value === 'string' ? cutText(value) : value))
  return short.length <= longestDetail ? short : JSON.stringify({ cut: true })
}

/** An address, cut to its limit: from a proxy's header it may be any text. */
export function auditAddress(address: string): string {
  return address.slice(0, longestAddress)
}
