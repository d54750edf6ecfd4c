/** Content-Security-Policy of what is not a page. No other site may frame any of it. */

/** JSON, text, and whatever else sets no policy of its own. */
export const dataPolicy = "default-src 'none'; frame-ancestors 'none'"

/** Files of users: shown, but nothing in them runs or loads. The pages themselves may embed them. */
export const filePolicy = "default-src 'none'; frame-ancestors 'self'; sandbox"
