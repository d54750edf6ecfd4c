/** An access rule as a sentence, for people who read the description of the API. */
import type { AccessRule, RuleSubject } from '../contract.ts'

const callerTexts: Record<AccessRule['who'], string> = {
  all: 'Everybody, signed in or not',
  signedIn: 'Whoever is signed in',
  anyUpdate: 'Whoever may update some collection',
  anyAdmin: 'Whoever administers some collection',
  globalAdmin: 'Global admins',
}

const subjectTexts: Record<RuleSubject, string> = {
  item: 'the item’s collection',
  collection: 'the collection',
  job: 'the job’s collection, or their own job',
  group: 'every collection that uses the group',
  share: 'the share',
  build: 'the file',
  screensaver: 'the screen saver',
  token: 'the token',
  plugin: 'the plugin',
  album: 'the album',
  link: 'the link',
  step: 'the collection of the change, or their own change',
}

/** For example 'Whoever is signed in, with the right update on the item’s collection.' */
export function ruleText(rule: AccessRule): string {
  if (rule.on === undefined) return `${callerTexts[rule.who]}.`
  const { thing, right } = rule.on
  if (right === 'owner') return `${callerTexts[rule.who]}; ${subjectTexts[thing]} must be their own.`
  if (right === 'globalAdmin') return 'Global admins.'
  return `${callerTexts[rule.who]}, with the right ${right} on ${subjectTexts[thing]}.`
}

/** The meaning of each status of a refusal, with an example. */
export const refusalTexts: Record<number, { text: string; code: string; error: string }> = {
  400: { text: 'Something in the request is wrong; `field` names it.', code: 'invalid', error: 'must be an id' },
  401: { text: 'Only for whoever is signed in.', code: 'unauthenticated', error: 'Sign in first.' },
  403: { text: 'The caller lacks the right for this.', code: 'denied', error: 'Permission Denied' },
  404: { text: 'There is no such thing, or the caller cannot see it.', code: 'notFound', error: 'Not found' },
  409: { text: 'The present state does not allow this.', code: 'conflict', error: 'That name is taken.' },
  413: { text: 'Too large, or too many.', code: 'tooLarge', error: 'The request is too large.' },
  416: { text: 'The range lies beyond the end.', code: 'invalid', error: 'The range lies beyond the end.' },
  429: {
    text: 'Too many requests; Retry-After says when to try again.',
    code: 'tooMany',
    error: 'Too many attempts. Wait a minute and try again.',
  },
}
