import type { PlannedStep } from '../checklist.ts'

/** The steps of TDX evidence, in their order: chain, revocation, signatures, what Intel says of the machine, and only then the trust domain. */
export const tdxPlan = [
  { id: 'quote/layout', title: 'Quote has the layout of a TDX quote' },
  { id: 'pck/certificates', title: 'Quote includes the server’s certificate and its two issuers' },
  { id: 'intel/root', title: 'Intel root certificate is the one Sotto trusts' },
  { id: 'intel/intermediate', title: 'Issuer of server certificates was certified by the Intel root' },
  { id: 'pck/chain', title: 'Server’s certificate was issued by Intel' },
  { id: 'pck/validity', title: 'Server’s certificate is valid now' },
  { id: 'pck/form', title: 'Server’s certificate has the fields of an Intel certificate' },
  { id: 'intel/collateral', title: 'Evidence includes Intel’s collateral for the server' },
  { id: 'intel/root-crl', title: 'Issuer of server certificates hasn’t been revoked by the Intel root' },
  { id: 'intel/pck-crl', title: 'Server’s certificate hasn’t been revoked by Intel' },
  { id: 'quote/signature', title: 'Quote is signed by the attestation key' },
  { id: 'quote/qe-report', title: 'Quoting enclave’s report is signed by the server' },
  { id: 'quote/attestation-key', title: 'Attestation key is certified by the quoting enclave' },
  { id: 'intel/tcb-info', title: 'List of security levels is signed by Intel' },
  { id: 'intel/tcb-info-validity', title: 'List of security levels is valid now' },
  { id: 'intel/qe-identity', title: 'Quoting enclave identity is signed by Intel' },
  { id: 'intel/qe-identity-validity', title: 'Quoting enclave identity is valid now' },
  { id: 'intel/evaluation', title: 'Intel’s collateral is from a recent enough evaluation' },
  { id: 'intel/platform', title: 'List of security levels is for this kind of server' },
  { id: 'intel/module', title: 'TDX module is signed by Intel and up to date' },
  { id: 'intel/tcb-level', title: 'Intel rates the server as up to date' },
  { id: 'intel/quoting-enclave', title: 'Quoting enclave matches the identity Intel published' },
  { id: 'intel/quoting-enclave-level', title: 'Intel rates the quoting enclave as up to date' },
  { id: 'td/debug', title: 'Trust domain debugging is disabled' },
  { id: 'td/attributes', title: 'Trust domain has the required attributes' },
  { id: 'td/xfam', title: 'Trust domain uses the required processor state' },
  { id: 'td/module', title: 'TDX module is accepted by the policy' },
  { id: 'td/configuration', title: 'Trust domain has the required configuration and owner' },
  { id: 'td/tcb', title: 'TDX module’s security level meets the minimum' },
  { id: 'td/rtmr3', title: 'Nothing was loaded after the trust domain was measured' },
] as const satisfies readonly PlannedStep[]

export type TdxStep = (typeof tdxPlan)[number]['id']
