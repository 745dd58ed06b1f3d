import { expectTypeOf, it } from 'vitest'
import type { CollateralRecord } from '../../src/shared/collateral-record.ts'
import type { AttestationPolicy } from '../../src/shared/policy/attestation-policy.ts'
import type { ServiceEnclavePolicy } from '../../src/shared/policy/service-enclave.ts'
import type { ReleaseIdentity } from '../../src/shared/release-identity.ts'
import type { Routing } from '../../src/shared/routing.ts'
import type { Verdict, VerdictStep } from '../../src/shared/verdict.ts'
import type * as verifier from '../../src/verifier/types.ts'

// The compiler compares: `npm run check:types`.

it('has schemas for exactly the results of the verifier', () => {
  expectTypeOf<Verdict>().toExtend<Omit<verifier.Verdict, 'steps'>>()
  expectTypeOf<verifier.Verdict>().toExtend<Verdict>()
  expectTypeOf<verifier.VerdictStep>().toExtend<VerdictStep>()
  expectTypeOf<Routing>().toExtend<verifier.Routing>()
  expectTypeOf<verifier.Routing>().toExtend<Routing>()
  expectTypeOf<CollateralRecord>().toExtend<verifier.CollateralRecord>()
  expectTypeOf<verifier.CollateralRecord>().toExtend<CollateralRecord>()
})

it('has schemas whose results the verifier accepts as its policies', () => {
  expectTypeOf<AttestationPolicy>().toExtend<verifier.AttestationPolicy>()
  expectTypeOf<ServiceEnclavePolicy>().toExtend<verifier.ServiceEnclavePolicy>()
  expectTypeOf<ReleaseIdentity>().toExtend<verifier.WorkflowPolicy>()
})
