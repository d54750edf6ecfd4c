/** Content-Disposition: whether a browser shows or saves a response, and its file name. */

/** `Content-Disposition` with a file name (RFC 6266): ASCII for old programs, UTF-8 for the others. */
export function disposition(type: 'inline' | 'attachment', name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const encoded = encodeURIComponent(name).replace(/['()*]/g, c => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
  return `${type}; filename="${plain}"; filename*=UTF-8''${encoded}`
}

/** Headers for a file that is made on request. */
export function downloadHeaders(type: string, name: string): Record<string, string> {
  return {
    'Content-Type': type,
    'Content-Disposition': disposition('attachment', name),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  }
}
