/** A field of a binary evidence format, and its use by the verifier. */
export interface EvidenceField {
  /** In the publisher's spelling. */
  readonly name: string
  /** In bytes from the start of its structure. */
  readonly offset: number
  readonly length: number
  /** The steps that decide on the field; none if it decides nothing, for the reason in `note`. */
  readonly steps: readonly string[]
  readonly note?: string
}

/** A field before its offset is known: tables state lengths, and offsets add up. */
export type FieldLength = Omit<EvidenceField, 'offset'>

/** Places fields one after another, without gaps. */
export function layOut(fields: readonly FieldLength[]): readonly EvidenceField[] {
  let offset = 0
  return fields.map((field) => {
    const placed = { ...field, offset }
    offset += field.length
    return placed
  })
}
