import { msg } from '../message.ts'
import { Authenticated, fail, passed, Steps } from '../steps.ts'
import type { Text } from '../text.ts'
import type { SigstoreCode, SigstoreRefusal } from './refusal.ts'
import { IN_TOTO_PAYLOAD, STATEMENT_V1 } from './statement.ts'
import type { Provenance, SigstoreInput } from './types.ts'

interface Step {
  readonly title: string
  readonly expected: (input: SigstoreInput) => Text
  /** The codes under which it can fail. */
  readonly codes: readonly SigstoreCode[]
}

/** All steps of a release's provenance, in order. */
const steps = {
  'sigstore/trust-root': {
    title: 'Sigstore trust roots can be read',
    expected: () => msg('a trusted_root.json'),
    codes: ['sigstore/trust-root-invalid'],
  },
  'sigstore/bundle': {
    title: 'Release signature has the format of a Sigstore bundle',
    expected: () => msg('version 0.3 with one certificate, one signature and an entry in a log'),
    codes: ['sigstore/bundle-malformed', 'sigstore/log-entry-missing', 'sigstore/log-entry-count'],
  },
  'sigstore/timestamp': {
    title: 'Signing time is confirmed by a trusted source',
    expected: () => msg('a time signed by the log or by a timestamp authority'),
    codes: ['sigstore/timestamp-missing', 'sigstore/timestamp-invalid'],
  },
  'sigstore/certificate': {
    title: 'Signer’s certificate was issued by Sigstore and valid at signing time',
    expected: () => msg('a chain to a trusted authority'),
    codes: ['sigstore/certificate-chain-invalid', 'sigstore/certificate-not-valid-then'],
  },
  'sigstore/certificate-log': {
    title: 'Signer’s certificate was publicly logged',
    expected: () => msg('a certificate timestamp of each of one or more trusted logs'),
    codes: ['sigstore/sct-missing', 'sigstore/sct-duplicate-log', 'sigstore/sct-invalid'],
  },
  'sigstore/signature': {
    title: 'Statement is the one that was signed',
    expected: () => msg('a signature by the certified key'),
    codes: ['sigstore/signature-invalid'],
  },
  'sigstore/log': {
    title: 'Signature is in the public log, with a past timestamp',
    expected: () => msg('a proof to the root that the log signed'),
    codes: [
      'sigstore/log-key-untrusted',
      'sigstore/log-inclusion-invalid',
      'sigstore/log-root-mismatch',
      'sigstore/log-entry-in-future',
    ],
  },
  'sigstore/issuer': {
    title: 'Signer was identified by the expected identity provider',
    expected: ({ policy }) => policy.oidcIssuer,
    codes: ['sigstore/issuer-mismatch'],
  },
  'sigstore/repository': {
    title: 'Release was built by a workflow in the expected repository, from its source',
    expected: ({ policy }) => policy.repository,
    codes: ['sigstore/repository-mismatch'],
  },
  'sigstore/ref': {
    title: 'Release was built from the expected kind of ref',
    expected: ({ policy }) => `${policy.refPrefix}…`,
    codes: ['sigstore/ref-mismatch'],
  },
  'sigstore/runner': {
    title: 'Release was built on the expected kind of runner',
    expected: ({ policy }) => policy.runnerEnvironment,
    codes: ['sigstore/runner-mismatch'],
  },
  'sigstore/commit': {
    title: 'Source commit is named',
    expected: () => msg('a commit of 40 hex digits'),
    codes: ['sigstore/commit-missing'],
  },
  'sigstore/statement': {
    title: 'Signed content is a release statement',
    expected: () => msg('{statement} as {payload}', { statement: STATEMENT_V1, payload: IN_TOTO_PAYLOAD }),
    codes: ['sigstore/payload-type', 'sigstore/statement-malformed', 'sigstore/statement-type'],
  },
  'sigstore/predicate': {
    title: 'Statement type is accepted by the policy',
    expected: ({ policy }) => policy.predicateTypes.join(', '),
    codes: ['sigstore/predicate-type'],
  },
  'sigstore/subject': {
    title: 'Statement is about the release named in the evidence',
    expected: ({ digest }) => digest,
    codes: ['sigstore/subject-missing', 'sigstore/subject-digest-mismatch'],
  },
  'sigstore/measurements': {
    title: 'Statement lists the release’s required measurements',
    expected: () => msg('measurements of 48 bytes'),
    codes: ['sigstore/predicate-member-missing'],
  },
} satisfies Record<string, Step>

export type SigstoreStep = keyof typeof steps

/** A bundle that was verified, and the refusal if there is one. */
export interface Attempt {
  readonly input: SigstoreInput
  /** The observation of each passed step that has more detail than the expectation. */
  readonly observed: ReadonlyMap<string, Text>
  readonly refusal?: SigstoreRefusal | undefined
}

/**
 * The list of these steps. A bundle is verified as a whole and ends at the first refusal, whose code names
 * the step that failed.
 */
function listOf(of: Readonly<Record<string, Step>>): Steps<Attempt, object> {
  let list = Steps.of<Attempt>()
  for (const [id, { title, expected: expectedOf, codes }] of Object.entries(of))
    list = list.add({
      id,
      title,
      run({ input, observed, refusal }) {
        const expected = expectedOf(input)
        if (refusal && codes.includes(refusal.code)) return fail(refusal.code, expected, refusal.observed)
        return passed(expected, observed.get(id) ?? expected)
      },
    })
  return list
}

const { 'sigstore/measurements': measurements, ...beforeMeasurements } = steps

/** The steps of a release. Only a bundle that wasn't refused has a provenance. */
export const bundleSteps = Steps.of<Attempt & { readonly provenance?: Provenance | undefined }>()
  .append(listOf(beforeMeasurements))
  .add({
    id: 'sigstore/measurements',
    title: measurements.title,
    run({ observed, refusal, provenance }) {
      const expected = measurements.expected()
      if (refusal && measurements.codes.some((code) => code === refusal.code))
        return fail(refusal.code, expected, refusal.observed)
      if (!provenance) throw new Error('a release was refused without a step that names the reason')
      return Authenticated.signed(
        expected,
        observed.get('sigstore/measurements') ?? expected,
        provenance,
        (release) => ({ release }),
      )
    },
  })
  .note(({ release }) => ({ release }))

/** The steps of a file of this app: the workflow that built it counts, and it has no measurements. */
export const fileSteps = (workflow: string) =>
  listOf({
    ...beforeMeasurements,
    'sigstore/subject': { ...beforeMeasurements['sigstore/subject'], title: 'Statement is about this file' },
    'sigstore/workflow': {
      title: 'File was built by the repository’s release workflow and no other',
      expected: ({ policy }) => `https://github.com/${policy.repository}/${workflow}`,
      codes: ['sigstore/workflow-mismatch'],
    },
  })
