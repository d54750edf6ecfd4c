/** The schema of the profile form: the server's, the form's own rule for the password, and the repeated one. Pure. */
import { z } from 'zod'
import { profile } from '../../schema/api/users.ts'
import { accountTexts } from '../texts/account.ts'

const tooShort = accountTexts.passwordTooShort

export const profileForm = profile
  .extend({
    password: z.string().refine(text => text === '' || text.length >= 2, tooShort),
    confirm: z.string(),
  })
  .refine(({ newPassword = '', confirm }) => confirm === newPassword, {
    path: ['confirm'],
    message: accountTexts.passwordDoesNotMatch,
    // Check this even when other fields have errors.
    when: () => true,
  })
