import { MULTI_PLATFORM_PREDICATE } from '../../src/verifier/sigstore/statement.ts'
import sotto from '../../package.json' with { type: 'json' }
import { stagesSupported } from './stages.ts'

/** The exact capabilities of the stages. The harness skips vectors by this list. */
export const capabilities = {
  schema_version: '1',
  sdk: sotto.name,
  sdk_version: sotto.version,
  stages_supported: stagesSupported,
  sigstore: {
    trust_root_loading: 'configurable',
    verification_time_override: 'supported',
    policy_fields_configurable: {
      oidc_issuer: true,
      workflow_ref_prefix: true,
      workflow_repository: true,
      predicate_types_allowed: true,
      in_toto_statement_types_allowed: true,
      payload_type: true,
      tlog_entries_min: true,
      tlog_entries_max: true,
      sct_min: true,
      observer_timestamps_min: true,
    },
    predicate_types_understood: [MULTI_PLATFORM_PREDICATE],
    legacy_bundle_format_supported: false,
    accepts_multi_tlog_entries: true,
    oidc_issuer_v2_preferred: true,
    scts_count_distinguish_missing_vs_duplicate: true,
    rejects_duplicate_sct_log: true,
    checks_only_subject_0: true,
    in_toto_statement_tolerates_extra_fields: false,
  },
  measurement: { compare_multiplatform_to_tdx_supported: true },
  attestation_sev: {
    supported: true,
    injected_collateral_supported: true,
    extended_checks_supported: true,
    amd_root_ca_injection_supported: true,
    verification_time_override: 'supported',
    public_api_hooks_supported: true,
  },
  attestation_tdx: {
    supported: true,
    injected_collateral_supported: true,
    verification_time_override: 'supported',
    tcb_evaluation_supported: true,
    public_api_hooks_supported: true,
    extended_td_checks_supported: true,
    // Only `UpToDate`, unless a policy lists others.
    accepts_non_terminal_tcb_statuses: false,
    enforces_tcb_evaluation_data_number_minimum: true,
    policy_fields_supported: { expected_fmspc_hex: true, accepted_qv_results: true },
  },
  platforms_supported: ['sev-snp', 'tdx'],
  transport_modes_supported: ['ehbp'],
  ehbp: { key_binding_supported: true },
  flow_modes_supported: ['standard', 'bundle', 'pinned'],
}
