/** Toasts: messages, which close after five seconds, and errors, which stay until the user closes them. */
import { Refused } from '../../schema/client.ts'
import { limits, product } from '../../schema/limits.ts'
import { createToasts } from '../kit/toasts.ts'
import { baseTexts } from '../texts/base.ts'

interface Toast {
  kind: 'client' | 'error'
  text: string
  detail: string
  /** A button, for example to undo. */
  action?: ToastAction | undefined
}

interface ToastAction {
  text: string
  act: () => void
}

const store = createToasts<Toast>(({ kind }) => (kind === 'client' ? limits.clientToastMs : null))
export const { list: toasts, close: closeToast, hold: holdToast } = store

/** Shows a message. The same text is not shown twice at once, unless each has its own `action`, such as Undo. */
export function say(text: string, detail = '', action?: ToastAction): void {
  store.show(
    { kind: 'client', text, detail, action },
    toast => action === undefined && toast.kind === 'client' && toast.text === text,
  )
}

/** Shows an error that does not come from a call, such as a plugin's, until the user closes it. */
export function showError(text: string, detail = ''): void {
  store.show({ kind: 'error', text, detail }, toast => toast.kind === 'error' && toast.text === text)
}

const outageText = baseTexts.serverIsCurrentlyNotAvailable({ product })

/** The specified text for an error, and the server's message. */
export function errorText(error: unknown): { text: string; detail: string } {
  if (error instanceof Refused) {
    const detail = error.code === 'unexpected' || error.code === 'unknown' ? '' : error.message
    if (error.status === 403)
      return { text: baseTexts.permissionDenied, detail: detail === baseTexts.permissionDenied ? '' : detail }
    // 'unknown': the body cannot be read, so the status says nothing about the call.
    return {
      text: error.status >= 500 || error.code === 'unknown' ? baseTexts.unknownServerError : baseTexts.errorOccurred,
      detail,
    }
  }
  // fetch throws a TypeError without a connection, and a DOMException if it is aborted or times out.
  const name = error instanceof Error ? error.name : ''
  if (name === 'TypeError' || name === 'AbortError' || name === 'TimeoutError') return { text: outageText, detail: '' }
  return { text: baseTexts.errorOccurred, detail: '' }
}

/** Whether the server did not respond, or only a proxy did, whose response has no code. */
export function isOutage(error: unknown): boolean {
  if (error instanceof Refused) return error.status >= 500 && error.code === 'unknown'
  return errorText(error).text === outageText
}

/** Shows an error; `context` says what failed. A 401 is shown only if it is `about` the session: others open the login. */
export function report(error: unknown, context: string, { about = 'call' }: { about?: 'call' | 'session' } = {}): void {
  if (error instanceof Refused && error.status === 401 && about === 'call') return
  const { text, detail } = errorText(error)
  const full = `${text}: ${context}`
  store.show({ kind: 'error', text: full, detail }, toast => toast.kind === 'error' && toast.text === full)
}

/** Runs an action. Returns whether it succeeded; if not, the error is reported with the text `failure`. */
export async function attempt(failure: string, act: () => Promise<unknown>): Promise<boolean> {
  const done = await attemptValue(failure, () => act().then(() => true))
  return done === true
}

/** Runs an action and returns its result; null if it failed, in which case the error is reported with the text `failure`. */
export async function attemptValue<T>(failure: string, act: () => Promise<T>): Promise<T | null> {
  try {
    return await act()
  } catch (error) {
    report(error, failure)
    return null
  }
}

/** Closes toasts with a button, such as Undo: it belongs to the user who was signed in. */
export const clearToastsWithAction = (): void => store.closeAll(({ action }) => action !== undefined)
