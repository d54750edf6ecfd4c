/** The screen of people and the head of a person: one part, so that the first load names its files once. */
export const loadPeople = async () => (await import('./lazy.ts')).loadPeople()
