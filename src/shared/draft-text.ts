/**
 * Joins two texts of one draft that two tabs wrote at the same time, so that neither is lost. A text that
 * contains the other replaces it, because it's the same text continued. Pure: neither argument changes.
 *
 * @param stored the text that was saved first
 * @param written the text that is saved now
 */
export function joinDraftTexts(stored: string, written: string): string {
  if (written.includes(stored)) return written
  if (stored.includes(written)) return stored
  return `${stored}\n${written}`
}

/**
 * The text of a draft after a save. A tab that was hidden doesn't know what another one saved, so a save names
 * the text that it replaces.
 *
 * @param stored the text that is stored now
 * @param written the text to save
 * @param replaces the text that the writer knew as stored; undefined if it replaces any
 * @returns the text to store, which the writer shows from now on
 */
export function savedDraftText(stored: string, written: string, replaces: string | undefined): string {
  return replaces === undefined || replaces === stored ? written : joinDraftTexts(stored, written)
}
