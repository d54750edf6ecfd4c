/** Texts of login, registration and profile. */
import { texts } from './catalogue.ts'

export const accountTexts = texts('account', {
  // Specified, to the letter:
  registrationSuccessful: 'Registration successful!',
  passwordTooShort: 'Password must be at least 2 characters',
  passwordDoesNotMatch: 'Password does not match',
  newPasswordAndConfirmation: 'New password and confirmation do not match.',
  // Ours:
  password: 'Password',
  atMost20Characters: 'At most 20 characters',
  pinHint: 'Unlocks hidden items. Up to 4 characters',
  createAccount: 'Create account',
  loginOpensInAMoment: 'The login opens in a moment.',
  loginNow: 'Login now',
  unlock: 'Unlock',
  yourProfileIsUpdated: 'Your profile is updated',
  existingPassword: 'Existing password',
  neededForAnyChange: 'Needed for any change',
  confirmPassword: 'Confirm password',
  alsoSignOutDevices: 'Also sign out devices and scripts',
  otherBrowsersAreSignedOut: 'Other browsers are signed out in any case. Signed-out devices must be registered again.',
  openSetupLink: 'Open the link that keepsake printed when it started',
  orRunCommand: 'Or run this in a terminal on the server, and reload this page:',
  whoManagesThisLibrary: 'Who manages this library?',
  firstAccountHint: 'The first account is the administrator. It lives on this machine and nowhere else.',
  nextChooseTheFolder: 'Next: choose the folder with your pictures.',
})
