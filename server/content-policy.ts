/** Content-Security-Policy of responses other than the pages. No other site may frame any of them. */

/** JSON, text, and all responses without their own policy. */
export const dataPolicy = "default-src 'none'; frame-ancestors 'none'"

/** Files of users and plugins: nothing in them runs or loads if opened directly. Only our own pages may embed them. */
export const filePolicy = "default-src 'none'; frame-ancestors 'self'; sandbox"

export const fileHeaders = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': filePolicy,
  'Cross-Origin-Resource-Policy': 'same-origin',
} as const

/** For files that some viewers get and others do not. */
export const privateHeaders = { Vary: 'Authorization, Cookie', ...fileHeaders } as const
