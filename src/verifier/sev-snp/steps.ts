import type { SevPolicy, SevProduct } from '../policy.ts'
import { msg } from '../message.ts'
import type { TrustSet } from '../contract.ts'
import { SEV_SNP_GUEST_V2 } from '../measurement.ts'
import { attestedKeys } from '../report-data.ts'
import type { SeenCollateral } from '../seen-collateral.ts'
import { Authenticated, fail, passed, Steps } from '../steps.ts'
import { toHex } from '../text.ts'
import { validityFinding } from '../validity.ts'
import {
  intermediateName,
  verifyIntermediate,
  verifyRoot,
  verifyVcek,
  rootName,
  isReportSignedBy,
} from './chain.ts'
import { checkChip, checkReportedTcb, readReport, readVcekCertificate } from './evidence-checks.ts'
import * as guest from './guest-checks.ts'
import type { SevReport } from './report.ts'
import { checkRevoked } from './revocation.ts'

export interface SevInput {
  /** The report, unpacked. */
  readonly report: Uint8Array
  /** DER of the chip's certificate. */
  readonly vcek: Uint8Array
  /** DER of AMD's revocation list, if the evidence has one. */
  readonly crl?: Uint8Array | undefined
  /** The lists known before, and those of this verification. Without it, none is known. */
  readonly seen?: SeenCollateral | undefined
  readonly roots: TrustSet['amd']
  readonly policy: SevPolicy
  /** Unix ms. */
  readonly now: number
}

/** An authenticated report, and when the first of the certificates and the list that authenticate it ends (Unix ms). */
export interface SevEvidence {
  readonly report: SevReport
  readonly product: SevProduct
  readonly notAfter: number
  /** Unix ms: when the revocation list that the chain was checked against ends. Absent if no list was in force. */
  readonly listEnds?: number
}

/**
 * Verifies an SEV-SNP report: AMD's chain to the chip, the chip's signature, then the policy over the signed content. Each failure has its
 * own code, `report/…`, `vcek/…` or `amd/…`.
 */
export const sevSteps = Steps.of<SevInput>()
  .add({
    id: 'report/layout',
    title: 'Report has the layout of an SEV-SNP attestation report',
    run: ({ report }) => readReport(report),
  })
  .add({
    id: 'vcek/form',
    title: 'Chip certificate has the format AMD issues',
    run: ({ vcek }) => readVcekCertificate(vcek),
  })
  .add({
    id: 'vcek/product',
    title: 'Processor product is accepted by the policy',
    run({ chip: { product, productName }, policy, roots }) {
      const trusted = product && policy.products[product] && roots[product]
      const accepted = Object.keys(policy.products).join(', ')
      if (!trusted) return fail('vcek/product-not-accepted', accepted, productName)
      return passed(accepted, productName, { product, trusted })
    },
  })
  .add({
    id: 'amd/root',
    title: 'AMD root certificate is the one Sotto trusts',
    run({ trusted, product, now }) {
      const name = rootName(product)
      const root = verifyRoot(trusted.ark, product, now)
      if ('fault' in root) return fail('amd/root-invalid', name, root.fault)
      return passed(name, name, { root })
    },
  })
  .add({
    id: 'amd/intermediate',
    title: 'Intermediate certificate was issued by the AMD root',
    run({ trusted, root, product, now }) {
      const name = intermediateName(product)
      const intermediate = verifyIntermediate(trusted.ask, root, product, now)
      if ('fault' in intermediate) return fail('amd/intermediate-invalid', name, intermediate.fault)
      return passed(name, name, { intermediate })
    },
  })
  .add({
    id: 'vcek/chain',
    title: 'Chip certificate was issued by AMD',
    run({ chip, intermediate, product }) {
      const issued = msg('issued by {product}', { product: intermediateName(product) })
      const certified = verifyVcek(chip.certificate, intermediate)
      if ('fault' in certified) return fail('vcek/chain-invalid', issued, certified.fault)
      return passed(issued, issued, { chipKey: certified.key })
    },
  })
  .add({
    id: 'vcek/validity',
    title: 'Chip certificate is valid now',
    run({ chip: { certificate }, root, intermediate, now }) {
      const finding = validityFinding(certificate, now, {
        'not-yet-valid': 'vcek/not-yet-valid',
        expired: 'vcek/expired',
      })
      const ends = [root.certificate, intermediate.certificate, certificate].map(({ notAfter }) => notAfter)
      return { ...finding, added: { chainEnds: Math.min(...ends) } }
    },
  })
  .add({
    id: 'amd/revocation',
    title: 'AMD hasn’t revoked the certificate chain',
    // Document v2 may have no list. If it has one, the list counts.
    required: false,
    run: ({ crl, product, root, intermediate, chip, trusted, seen, now }) =>
      checkRevoked({
        product,
        root,
        intermediate,
        vcek: chip.certificate,
        evidence: crl,
        shipped: trusted.crl,
        seen,
        now,
      }),
  })
  .add({
    id: 'vcek/chip',
    title: 'Chip certificate belongs to the reporting chip',
    run: ({ parsed, chip, product }) => checkChip(parsed, chip, product),
  })
  .add({
    id: 'vcek/tcb',
    title: 'Chip certificate matches the reporting firmware',
    run: ({ parsed, chip, product }) => checkReportedTcb(parsed, chip, product),
  })
  .add({
    id: 'report/signature',
    title: 'Report is signed by the chip',
    run({ report, parsed, chipKey, product, chainEnds, listEnds }) {
      const expected = msg('a signature by the certified key')
      if (!isReportSignedBy(report, chipKey))
        return fail('report/signature-invalid', expected, msg('an invalid signature'))
      const evidence: SevEvidence = {
        report: parsed,
        product,
        notAfter: Math.min(chainEnds, listEnds ?? Infinity),
        ...(listEnds !== undefined && { listEnds }),
      }
      return Authenticated.signed(expected, expected, evidence, (signed) => ({
        evidence,
        hardware: signed.map(hardwareOf),
        keys: signed.map(({ report: { reportData } }) => attestedKeys(reportData)),
      }))
    },
  })
  .note(({ hardware, keys, evidence: { product, listEnds } }) => ({
    hardware,
    keys,
    amdList: { product, ...(listEnds !== undefined && { ends: listEnds }) },
  }))
  .add({
    id: 'report/signer',
    title: 'Report is signed with the chip’s own key, not one lent to a cloud provider',
    run: ({ evidence }) => guest.checkSigner(evidence),
  })
  .add({
    id: 'report/debug',
    title: 'Guest debugging is disabled',
    run: ({ evidence }) => guest.checkDebug(evidence),
  })
  .add({
    id: 'report/migration',
    title: 'Guest migration is disabled',
    run: ({ evidence }) => guest.checkMigration(evidence),
  })
  .add({
    id: 'report/guest-policy',
    title: 'Guest policy meets the requirements',
    run: ({ evidence, policy }) => guest.checkGuestPolicy(evidence, policy),
  })
  .add({
    id: 'report/identity',
    title: 'Host data, image IDs and signing keys are as required',
    run: ({ evidence, policy }) => guest.checkIdentity(evidence, policy),
  })
  .add({
    id: 'report/vmpl',
    title: 'Report was requested at the required privilege level',
    run: ({ evidence, policy }) => guest.checkVmpl(evidence, policy),
  })
  .add({
    id: 'report/tcb',
    title: 'Firmware patch levels meet the minimum',
    run: ({ evidence, policy }) => guest.checkTcb(evidence, policy),
  })
  .add({
    id: 'report/committed-firmware',
    title: 'Current firmware is committed and can’t be rolled back',
    run: ({ evidence }) => guest.checkCommitted(evidence),
  })
  .add({
    id: 'report/firmware-version',
    title: 'Firmware version meets the minimum',
    run: ({ evidence, policy }) => guest.checkFirmware(evidence, policy),
  })
  .add({
    id: 'report/platform',
    title: 'Server memory is configured as required',
    run: ({ evidence, policy }) => guest.checkPlatform(evidence, policy),
  })
  .note(({ evidence: { report, product }, policy }) => ({
    belowExpectedTcb: guest.isBelowExpected(report, product, policy),
  }))

function hardwareOf({ report, product, notAfter }: SevEvidence) {
  return {
    platform: `AMD SEV-SNP, ${product}`,
    measurement: { type: SEV_SNP_GUEST_V2, registers: [toHex(report.measurement)] },
    notAfter,
    nonceBound: false,
  }
}
