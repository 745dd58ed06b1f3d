/** Facts that a verdict reports in addition to its steps. */
export const verdictNotices = {
  'fresh/unreachable':
    'The enclave’s own server didn’t answer, so the evidence may be older. Anyone on the network path can cause this.',
  'policy/provider-floor-accepted':
    'Accepted floor below AMD-SB-3019: you accepted the provider’s lower firmware minimum. Servers that can run forged microcode may pass verification.',
  'report/tcb-below-expected':
    'The server’s firmware meets the minimum but is older than on genuine servers seen before. It may lack security fixes.',
  'trust/sigstore-root-stale':
    'Sotto’s built-in Sigstore roots are over 90 days old. Update Sotto. Until then, it still trusts logs and authorities that have since been replaced.',
} as const
export type VerdictNoticeCode = keyof typeof verdictNotices
