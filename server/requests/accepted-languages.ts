/** What languages a client prefers. */

/** Language tags of an Accept-Language header, the best first: RFC 9110, 12.5.4. */
export function acceptedLanguages(header: string | null): string[] {
  return (header ?? '')
    .split(',')
    .map(part => {
      const [tag = '', weight = ''] = part.split(';').map(text => text.trim())
      return { tag, weight: weight.startsWith('q=') ? Number(weight.slice(2)) || 0 : 1 }
    })
    .filter(({ tag, weight }) => tag !== '' && tag !== '*' && weight > 0)
    .sort((a, b) => b.weight - a.weight)
    .map(({ tag }) => tag)
}
