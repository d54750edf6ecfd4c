/** The form with which an administrator gives somebody a new password or PIN. Pure. */
import { z } from 'zod'
import { registration } from '../../../schema/api/users.ts'

const orEmpty = (schema: z.ZodType<string>) => z.union([z.literal(''), schema])

/** One of the two at least; what is given keeps to the rules of a registration. */
export const resetForm = z
  .object({ password: orEmpty(registration.shape.password), unlockPin: orEmpty(registration.shape.unlockPin) })
  .refine(({ password, unlockPin }) => password !== '' || unlockPin !== '', {
    message: 'Give a new password, or a new PIN',
    path: ['password'],
  })
