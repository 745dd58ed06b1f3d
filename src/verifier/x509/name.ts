import { DerReader, decodeObjectIdentifier, decodeString, tags, type DerElement } from '../der/index.ts'
import { CertificateError } from './error.ts'

/**
 * A distinguished name. Two names are equal only if their DER is, without string preparation (RFC 5280
 * section 7.1).
 */
export interface Name {
  readonly der: Uint8Array
  readonly attributes: readonly { readonly type: string; readonly value: string }[]
}

/** The attribute type of a common name. */
export const COMMON_NAME = '2.5.4.3'

/**
 * Reads a Name (RFC 5280 section 4.1.2.4), with its attributes in order. An empty name has none. Throws
 * CertificateError for a set without attributes, and DerError for other faults, such as a value of a type
 * that decodeString doesn't support.
 */
export function readName(element: DerElement): Name {
  const attributes: { type: string; value: string }[] = []
  const names = new DerReader(element.content)
  while (!names.atEnd()) {
    const relative = names.enter(tags.set)
    if (relative.atEnd()) throw new CertificateError('name')
    while (!relative.atEnd()) {
      const attribute = relative.enter(tags.sequence)
      const type = decodeObjectIdentifier(attribute.content(tags.objectIdentifier))
      const value = attribute.any()
      attribute.end()
      attributes.push({ type, value: decodeString(value.tag, value.content) })
    }
  }
  return { der: element.bytes, attributes }
}

/** Returns the common name, if there is exactly one. */
export function commonName(name: Name): string | undefined {
  const values = name.attributes.filter(({ type }) => type === COMMON_NAME)
  return values.length === 1 ? values[0]?.value : undefined
}

/**
 * Whether a name has these attributes and no others, in any order.
 *
 * @param expected type and value of each attribute, no two alike
 */
export function hasExactly(
  attributes: Name['attributes'],
  expected: readonly (readonly [type: string, value: string])[],
): boolean {
  return (
    attributes.length === expected.length &&
    expected.every(([type, value]) =>
      attributes.some((attribute) => attribute.type === type && attribute.value === value),
    )
  )
}
