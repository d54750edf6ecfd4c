/** Toasts: messages (for five seconds) and errors (until closed). */
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

const own = createToasts<Toast>(({ kind }) => (kind === 'client' ? limits.clientToastMs : null))
export const { list: toasts, close: closeToast, hold: holdToast } = own

/** Shows a message. The same text is not shown twice at once, unless each message has its own undo. */
export function say(text: string, detail = '', action?: ToastAction): void {
  own.show(
    { kind: 'client', text, detail, action },
    toast => action === undefined && toast.kind === 'client' && toast.text === text,
  )
}

/** Shows an error that does not come from a call, such as a plugin's, until the user closes it. */
export function fault(text: string, detail = ''): void {
  own.show({ kind: 'error', text, detail }, toast => toast.kind === 'error' && toast.text === text)
}

const outage = baseTexts.serverIsCurrentlyNotAvailable({ product })

/** The specified text for an error, and the server's message. */
export function faultText(error: unknown): { text: string; detail: string } {
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
  if (name === 'TypeError' || name === 'AbortError' || name === 'TimeoutError') return { text: outage, detail: '' }
  return { text: baseTexts.errorOccurred, detail: '' }
}

/** Whether the server did not respond, or only a proxy did, whose response has no code. */
export function isOutage(error: unknown): boolean {
  if (error instanceof Refused) return error.status >= 500 && error.code === 'unknown'
  return faultText(error).text === outage
}

/** Shows an error; `context`: its specified text. A 401 opens the login, so only `about: 'session'` also shows it. */
export function report(error: unknown, context: string, { about = 'call' }: { about?: 'call' | 'session' } = {}): void {
  if (error instanceof Refused && error.status === 401 && about === 'call') return
  const { text, detail } = faultText(error)
  const full = `${text}: ${context}`
  own.show({ kind: 'error', text: full, detail }, toast => toast.kind === 'error' && toast.text === full)
}

/** Runs an action; on failure reports the error and returns false. */
export async function succeeds(failure: string, act: () => Promise<unknown>): Promise<boolean> {
  const done = await orNull(failure, () => act().then(() => true))
  return done === true
}

/** Returns the result; on failure reports the error and returns null. */
export async function orNull<T>(failure: string, act: () => Promise<T>): Promise<T | null> {
  try {
    return await act()
  } catch (error) {
    report(error, failure)
    return null
  }
}

/** Removes toasts with a button, such as Undo, because their user has left. */
export const clearOffers = (): void => own.closeAll(({ action }) => action !== undefined)
