/** Leaving the login without signing in. */

import { address, go } from '../app/address.ts'
import { closeEntrance, entrance } from '../app/dialogs.ts'
import { signedIn } from '../app/session.ts'
import { routeOf } from '../routes.ts'

/** Cancels the login and leaves a protected screen, because visitors have nothing to see there. */
export function leaveLogin(): void {
  const { value } = entrance
  closeEntrance()
  const guards = value?.kind === 'login' && value.guard
  if (!signedIn.peek() && (guards || routeOf(address.peek().path).requiresAuth === true)) go('/', { replace: true })
}
