/** The form for an account's new password or PIN. Pure. */
import { z } from 'zod'
import { registration } from '../../../schema/api/users.ts'
import { usersTexts } from '../../texts/admin/users.ts'

const orEmpty = (schema: z.ZodType<string>) => z.union([z.literal(''), schema])

/** At least one of the two is required; both follow the rules of a registration. */
export const resetForm = z
  .object({ password: orEmpty(registration.shape.password), unlockPin: orEmpty(registration.shape.unlockPin) })
  .refine(({ password, unlockPin }) => password !== '' || unlockPin !== '', {
    message: usersTexts.passwordOrPinNeeded,
    path: ['password'],
  })
