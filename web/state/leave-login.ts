/** Leaving the login without signing in. */
import { routeOf } from '../routes.ts'
import { address, go } from './address.ts'
import { closeEntrance, entrance } from './dialogs.ts'
import { signedIn } from './session.ts'

/** Nobody signs in. A protected screen has nothing to show to visitors, nor to whoever goes back to it. */
export function leaveLogin(): void {
  const { value } = entrance
  closeEntrance()
  const guards = value?.kind === 'login' && value.guard
  if (!signedIn.peek() && (guards || routeOf(address.peek().path).requiresAuth === true)) go('/', { replace: true })
}
