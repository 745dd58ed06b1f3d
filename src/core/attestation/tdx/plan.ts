import type { PlannedStep } from '../checklist.ts'

/** The steps of TDX evidence, in their order: chain, revocation, signatures, what Intel says of the machine, and only then the trust domain. */
export const tdxPlan = [
  { id: 'quote/layout', title: 'The quote has the layout of a TDX quote' },
  { id: 'pck/certificates', title: 'The quote carries the machine’s certificate and its two issuers' },
  { id: 'intel/root', title: 'Intel’s root certificate is the one trusted here' },
  { id: 'intel/intermediate', title: 'Intel’s root certified the issuer of machines' },
  { id: 'pck/chain', title: 'Intel issued the machine’s certificate' },
  { id: 'pck/validity', title: 'The machine’s certificate is valid now' },
  { id: 'pck/form', title: 'The machine’s certificate says what Intel’s certificates say' },
  { id: 'intel/collateral', title: 'Intel’s answers about the machine come with the evidence' },
  { id: 'intel/root-crl', title: 'Intel’s root has not revoked the issuer of machines' },
  { id: 'intel/pck-crl', title: 'Intel has not revoked the machine' },
  { id: 'quote/signature', title: 'The attestation key signed the quote' },
  { id: 'quote/qe-report', title: 'The machine signed the report of its quoting enclave' },
  { id: 'quote/attestation-key', title: 'The quoting enclave vouches for the attestation key' },
  { id: 'intel/tcb-info', title: 'Intel signed the list of security levels' },
  { id: 'intel/tcb-info-validity', title: 'The list of security levels is in force now' },
  { id: 'intel/qe-identity', title: 'Intel signed the identity of the quoting enclave' },
  { id: 'intel/qe-identity-validity', title: 'The identity of the quoting enclave is in force now' },
  { id: 'intel/evaluation', title: 'Intel’s answers are from an evaluation that is recent enough' },
  { id: 'intel/platform', title: 'The list of security levels is for machines of this kind' },
  { id: 'intel/module', title: 'The TDX module is one that Intel signed, and up to date' },
  { id: 'intel/tcb-level', title: 'Intel calls the machine up to date' },
  { id: 'intel/quoting-enclave', title: 'The quoting enclave is the one that Intel describes' },
  { id: 'intel/quoting-enclave-level', title: 'Intel calls the quoting enclave up to date' },
  { id: 'td/debug', title: 'The trust domain cannot be debugged' },
  { id: 'td/attributes', title: 'The trust domain has the required attributes' },
  { id: 'td/xfam', title: 'The trust domain uses the required processor state' },
  { id: 'td/module', title: 'The TDX module is one that the policy accepts' },
  { id: 'td/configuration', title: 'The trust domain has the required configuration and owner' },
  { id: 'td/tcb', title: 'The TDX module’s security level reaches the floor' },
  { id: 'td/rtmr3', title: 'Nothing was loaded after the trust domain was measured' },
] as const satisfies readonly PlannedStep[]

export type TdxStep = (typeof tdxPlan)[number]['id']
