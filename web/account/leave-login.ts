/** Leaving the login without signing in. */

import { address, go } from '../app/address.ts'
import { accountDialog, closeAccountDialog } from '../app/dialogs.ts'
import { signedIn } from '../app/session.ts'
import { routeOf } from '../routes.ts'

/** Closes the login or registration. A visitor then leaves a protected screen, where there is nothing to see. */
export function leaveLogin(): void {
  const { value } = accountDialog
  closeAccountDialog()
  const guards = value?.kind === 'login' && value.guard
  if (!signedIn.peek() && (guards || routeOf(address.peek().path).requiresAuth === true)) go('/', { replace: true })
}
