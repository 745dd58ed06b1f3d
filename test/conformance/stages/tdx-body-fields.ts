import { decodeTdAttributes, type TdReport, type TdxQuote } from '../../../src/verifier/tdx/index.ts'

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

/** MRTD and RTMR0 to RTMR3, in the order of TDX. */
export function registersOf({ mrTd, rtmrs }: TdReport): string[] {
  return [mrTd, ...rtmrs].map(hex)
}

/** The quote's header as the suite writes it. */
export function headerFields({ attestationKeyType, qeVendorId, userData }: TdxQuote): object {
  return {
    attestation_key_type: attestationKeyType,
    qe_vendor_id_hex: hex(qeVendorId),
    user_data_hex: hex(userData),
  }
}

/** The report's fields as the suite writes them. */
export function bodyFields(td: TdReport): object {
  const attributes = decodeTdAttributes(td.tdAttributes)
  return {
    tee_tcb_svn_hex: hex(td.teeTcbSvn),
    mrseam_hex: hex(td.mrSeam),
    mrsignerseam_hex: hex(td.mrSignerSeam),
    seam_attributes_hex: hex(td.seamAttributes),
    td_attributes_hex: hex(td.tdAttributes),
    td_attributes_decoded: {
      tud_debug: attributes.debug,
      tud_reserved_nonzero: attributes.tudReserved,
      sec_reserved_lower_nonzero: attributes.secReservedLower,
      sec_sept_ve_disable: attributes.septVeDisable,
      sec_reserved_bit29: attributes.secReserved29,
      sec_pks: attributes.protectionKeys,
      sec_kl: attributes.keyLocker,
      other_reserved_nonzero: attributes.otherReserved,
      other_perfmon: attributes.perfmon,
    },
    xfam_hex: hex(td.xfam),
    mrtd_hex: hex(td.mrTd),
    mrconfigid_hex: hex(td.mrConfigId),
    mrowner_hex: hex(td.mrOwner),
    mrownerconfig_hex: hex(td.mrOwnerConfig),
    rtmrs_hex: td.rtmrs.map(hex),
    report_data_hex: hex(td.reportData),
  }
}
