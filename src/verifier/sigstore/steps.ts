import { msg } from '../message.ts'
import type { VerdictStep } from '../contract.ts'
import { legible, type Text } from '../text.ts'
import type { SigstoreCode, SigstoreRefusal } from './refusal.ts'
import { IN_TOTO_PAYLOAD, STATEMENT_V1 } from './statement.ts'
import type { SigstoreInput } from './types.ts'

interface Step {
  readonly title: string
  readonly expected: (input: SigstoreInput) => Text
  /** The codes under which it can fail. */
  readonly codes: readonly SigstoreCode[]
}

/** Every step of a release's provenance, in the order in which they are taken. */
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

/** The steps of a file of ours: which workflow of the repository built it counts, and it has no measurements. */
export function fileSteps(workflow: string): Readonly<Record<string, Step>> {
  const { 'sigstore/measurements': _measurements, ...others } = steps
  return {
    ...others,
    'sigstore/subject': { ...others['sigstore/subject'], title: 'Statement is about this file' },
    'sigstore/workflow': {
      title: 'File was built by the repository’s release workflow and no other',
      expected: ({ policy }) => `https://github.com/${policy.repository}/${workflow}`,
      codes: ['sigstore/workflow-mismatch'],
    },
  }
}

export type SigstoreStep = keyof typeof steps

/**
 * The steps as a verdict lists them. They are taken in order and end at the first refusal, so all before its step passed.
 *
 * @param observed what a passed step found, where that says more than what was expected
 */
export function listSteps(
  input: SigstoreInput,
  observed: ReadonlyMap<string, Text>,
  refusal?: SigstoreRefusal,
  of: Readonly<Record<string, Step>> = steps,
): VerdictStep[] {
  let reached = true
  return Object.entries(of).map(([id, { title, expected: expectedOf, codes }]) => {
    const expected = legible(expectedOf(input))
    const step = { id, title, required: true, expected }
    if (!reached) return { ...step, outcome: 'not-reached', observed: [] }
    if (refusal && codes.includes(refusal.code)) {
      reached = false
      return { ...step, outcome: 'failed', observed: legible(refusal.observed), code: refusal.code }
    }
    return { ...step, outcome: 'passed', observed: legible(observed.get(id) ?? expected) }
  })
}

/** The same steps as a plan, for a verdict that may end before it comes to them. */
export const sigstorePlan = Object.entries<Step>(steps).map(([id, { title }]) => ({ id, title }))
