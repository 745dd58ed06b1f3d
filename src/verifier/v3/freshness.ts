import { z } from 'zod'
import { msg } from '../message.ts'
import type { Text } from '../text.ts'
import type { Artifact } from './artifact.ts'

const FRESHNESS_WITNESS = 'https://tinfoil.sh/predicate/freshness-witness/v1'
/** A release counts as in use for this long after the publisher's witness. */
export const WITNESS_MS = 7 * 24 * 3600_000

const statementSchema = z.strictObject({
  _type: z.literal('https://in-toto.io/Statement/v1'),
  subject: z.tuple([z.strictObject({ name: z.string(), digest: z.strictObject({ sha256: z.string() }) })]),
  predicateType: z.literal(FRESHNESS_WITNESS),
  predicate: z.strictObject({
    format: z.literal(FRESHNESS_WITNESS),
    endorses: z.strictObject({
      repo: z.string(),
      tag: z.string(),
      commit: z.string(),
      subject: z.strictObject({ name: z.string(), digest: z.string() }),
    }),
  }),
})

/**
 * Compares a witness with the artifact that it must be about.
 *
 * @param statement the witness's signed content, already authenticated
 * @returns undefined if it is about exactly this artifact, otherwise the difference
 */
export function witnessFault(
  statement: unknown,
  { name, digest, repository, tag, commit }: Artifact,
): Text | undefined {
  const read = statementSchema.safeParse(statement)
  if (!read.success) return msg('a statement in an unexpected format')
  const {
    subject: [subject],
    predicate: { endorses },
  } = read.data
  const stated = [
    subject.name,
    subject.digest.sha256,
    endorses.repo,
    endorses.tag,
    endorses.commit,
    endorses.subject.name,
    endorses.subject.digest,
  ]
  const expected = [name, digest, repository, tag, commit, name, `sha256:${digest}`]
  const other = stated.findIndex((value, index) => value !== expected[index])
  return other < 0 ? undefined : (stated[other] ?? '')
}
