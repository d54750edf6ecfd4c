/** Sends one request with upload progress, which `fetch` does not offer. */

interface Sent {
  /** HTTP status; 0 means no connection. */
  status: number
  text: string
}

interface Sending {
  headers?: Record<string, string>
  /** Called with the number of bytes of the body that were sent. */
  onProgress: (sent: number) => void
  /** Called when the whole body was sent. */
  onSent?: () => void
}

/** `done` never rejects; it resolves to null if the request was aborted. */
export function sendBody(address: string, body: Blob | FormData, { headers = {}, onProgress, onSent }: Sending) {
  const request = new XMLHttpRequest()
  const { promise: done, resolve } = Promise.withResolvers<Sent | null>()
  request.open('POST', address)
  request.withCredentials = true
  for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
  request.upload.addEventListener('progress', ({ loaded }) => onProgress(loaded))
  if (onSent !== undefined) request.upload.addEventListener('load', onSent)
  request.addEventListener('load', () => resolve({ status: request.status, text: request.responseText }))
  request.addEventListener('error', () => resolve({ status: 0, text: '' }))
  request.addEventListener('abort', () => resolve(null))
  request.send(body)
  return { done, abort: () => request.abort() }
}
