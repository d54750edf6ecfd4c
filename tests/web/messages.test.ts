import { afterEach, expect, test } from 'bun:test'
import { Refused } from '../../schema/client.ts'
import { closeToast, errorText, report, say, toasts } from '../../web/app/messages.ts'

afterEach(() => {
  for (const { id } of toasts.value) closeToast(id)
})

const refused = (status: number, message = 'x', code = 'invalid') => new Refused(status, message, undefined, code)

test('shows a text of the catalogue for each kind of error', () => {
  expect(errorText(new TypeError('Failed to fetch')).text).toBe('Keepsake server is currently not available')
  expect(errorText(new DOMException('late', 'TimeoutError')).text).toBe('Keepsake server is currently not available')
  expect(errorText(refused(403, 'Permission Denied', 'denied'))).toEqual({ text: 'Permission Denied', detail: '' })
  expect(errorText(refused(500, 'Unknown server error', 'unexpected'))).toEqual({
    text: 'Unknown server error',
    detail: '',
  })
  expect(errorText(refused(404, 'Unknown server error', 'unknown')).text).toBe('Unknown server error')
  expect(errorText(refused(409, 'Family is being scanned.', 'busy'))).toEqual({
    text: 'An error occurred',
    detail: 'Family is being scanned.',
  })
  expect(errorText('nonsense').text).toBe('An error occurred')
})

test('appends what failed after a colon, and shows each message once', () => {
  report(refused(500), 'Failed to load items')
  report(refused(500), 'Failed to load items')
  report(refused(500), 'Failed to scan collection')
  expect(toasts.value.map(({ text }) => text)).toEqual([
    'Unknown server error: Failed to load items',
    'Unknown server error: Failed to scan collection',
  ])
})

test('shows a second failure beside the first, even while the server is unreachable', () => {
  report(new TypeError(), 'Failed to load items')
  report(new TypeError(), 'Unable to load collection')
  report(new TypeError(), 'Failed to load items')
  expect(toasts.value.map(({ text }) => text)).toEqual([
    'Keepsake server is currently not available: Failed to load items',
    'Keepsake server is currently not available: Unable to load collection',
  ])
})

test('shows no message for a lost session', () => {
  report(refused(401), 'Failed to load items')
  expect(toasts.value).toEqual([])
})

test('shows a refused renewal of the session, but only once', () => {
  report(refused(401), 'Failed to renew session', { about: 'session' })
  report(refused(401), 'Failed to renew session', { about: 'session' })
  expect(toasts.value.map(({ text }) => text)).toEqual(['An error occurred: Failed to renew session'])
})

test('does not show the same status twice at once', () => {
  say('Share link copied to clipboard')
  say('Share link copied to clipboard')
  expect(toasts.value).toHaveLength(1)
})
