/** Texts of the screen Users. */
import { texts } from '../catalogue.ts'

export const usersTexts = texts('users', {
  passwordOrPinNeeded: 'Give a new password, or a new PIN',
  resetPasswordOf: 'Reset password of {username}',
  you: 'you',
  disabled: 'Disabled',
  globalAdmin: 'Global admin',
  active: 'Active',
  user: 'User',
  sessions: 'Sessions',
  since: 'Since',
  resetPassword: 'Reset password',
  endSessions: 'End sessions',
  removeGlobalAdmin: 'Remove global admin',
  makeGlobalAdmin: 'Make global admin',
  enable: 'Enable',
  disable: 'Disable',
  disableHint: 'Sessions, shared links, devices and tokens of this account stop working at once. Tags are kept.',
  endSessionsHint:
    'Every browser has to sign in again. Devices and scripts are signed out, too: devices have to be registered again, and scripts need new tokens.',
  makeGlobalAdminHint: 'A global admin sees every collection, and may change everything, these accounts too.',
  onlyGlobalAdmin: 'Only a global administrator sees the accounts.',
  accountCount: { one: '{count} account', other: '{count} accounts' },
  noUsers: 'No users',
  resetHint:
    'All sessions of this account end. A new password also signs out its devices and scripts. Tell {username} the new password yourself.',
  disableQuestion: 'Disable the account {name}?',
  endAllSessionsQuestion: 'End all sessions of {name}?',
  endSessionsQuestion: { one: 'End {count} session of {name}?', other: 'End {count} sessions of {name}?' },
  removeAdminQuestion: 'Remove the global admin right of {name}?',
  makeAdminQuestion: 'Make {name} a global admin?',
  soDoesThisBrowser: 'So does this browser.',
})
