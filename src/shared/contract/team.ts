import { z } from 'zod'
import { budgetPeriods, keyLimitsTextSchema, limitAmountSchema } from '../key-limits.ts'
import { keyNameSchema, localRequestSchema } from '../local-key.ts'
import { picoUsdSchema } from '../receipt.ts'
import { call, idSchema } from './call.ts'

/**
 * The roles of a team. An admin changes everything, an auditor reads everything and changes nothing, and a member has only
 * keys and activity of their own.
 */
export const teamRoles = ['admin', 'auditor', 'member'] as const
export type TeamRole = (typeof teamRoles)[number]

/** An address as an identity provider states it. It identifies nobody: after the first sign-in, only issuer and subject do. */
export const emailSchema = z
  .string()
  .max(254)
  .regex(/^[^\s@\p{C}]+@[^\s@\p{C}]+$/u)

export const teamBudgetSchema = z.object({ picoUsd: limitAmountSchema, period: z.enum(budgetPeriods) })

/** The used part of a budget in its current period; in total without a budget. */
const usedSchema = z.object({ spent: picoUsdSchema, reserved: picoUsdSchema })

export const groupSchema = z.object({
  id: idSchema,
  name: keyNameSchema,
  /** A limit for all keys of all members together, in addition to the limits of members and keys. Absent: none. */
  budget: teamBudgetSchema.exactOptional(),
  /** What members may give a key that they create, and how many each may have. Absent: only an admin creates keys. */
  selfService: z
    .object({ keysPerMember: z.int().min(1).max(100), limits: keyLimitsTextSchema })
    .exactOptional(),
  members: z.int().min(0),
  used: usedSchema,
})
export type Group = z.infer<typeof groupSchema>

export const memberSchema = z.object({
  id: idSchema,
  email: emailSchema,
  /** As the identity provider stated it at the last sign-in; null before the first. */
  name: z.string().max(200).nullable(),
  role: z.enum(teamRoles),
  groupId: idSchema.nullable(),
  /** A limit for all keys of this member together. Absent: none. */
  budget: teamBudgetSchema.exactOptional(),
  used: usedSchema,
  keys: z.int().min(0),
  /** Unix ms. */
  createdAt: z.number(),
  /** Unix ms; null before the first sign-in. */
  lastSignInAt: z.number().nullable(),
})
export type Member = z.infer<typeof memberSchema>

const teamKeySchema = z.object({
  id: idSchema,
  name: keyNameSchema,
  /** Null for a key that the command line created without an owner. */
  ownerId: idSchema.nullable(),
  limits: keyLimitsTextSchema,
  used: usedSchema,
  /** Unix ms. */
  createdAt: z.number(),
  state: z.enum(['live', 'expired', 'revoked']),
})
export type TeamKey = z.infer<typeof teamKeySchema>

/** A receipt without content. */
export const teamRequestSchema = localRequestSchema.extend({ memberId: idSchema.nullable() })
export type TeamRequest = z.infer<typeof teamRequestSchema>

const activityFilterSchema = z.object({
  memberId: idSchema.optional(),
  keyId: idSchema.optional(),
  /** Unix ms, inclusive. */
  from: z.int().optional(),
  /** Unix ms, exclusive. */
  until: z.int().optional(),
})

/**
 * Everything that the admin page of replicas can request. Every procedure needs a session; a member sees only what is theirs.
 * Throws team/forbidden if the role doesn't allow the call.
 */
export const teamContract = {
  session: {
    /** The person who signed in, and what they may know about their group. */
    get: call.output(
      z.object({
        member: memberSchema,
        group: groupSchema.pick({ id: true, name: true, selfService: true }).nullable(),
        /** The member's keys that count for the self-service: also revoked ones that spent in the period of its budget. */
        countedKeys: z.int().min(0),
      }),
    ),
  },
  members: {
    list: call.output(z.array(memberSchema)),
    /** Admits an address. It's bound to issuer and subject at the first sign-in with a verified address. Throws team/member-exists. */
    add: call
      .input(
        z.object({
          email: emailSchema,
          role: z.enum(teamRoles),
          groupId: idSchema.nullable(),
          budget: teamBudgetSchema.optional(),
        }),
      )
      .output(memberSchema),
    /**
     * Changes only the fields that it names, so that a page with an old list doesn't undo another admin's change. A budget of
     * null is removed. Throws team/unknown-member, team/unknown-group, team/last-admin.
     */
    update: call
      .input(
        z.object({
          memberId: idSchema,
          role: z.enum(teamRoles).optional(),
          groupId: idSchema.nullable().optional(),
          budget: teamBudgetSchema.nullable().optional(),
        }),
      )
      .output(memberSchema),
    /** Ends the sessions of a member and revokes their keys, in one transaction. Throws as `update`. */
    remove: call.input(z.object({ memberId: idSchema })).output(z.void()),
  },
  groups: {
    list: call.output(z.array(groupSchema)),
    /** Throws team/group-exists. */
    add: call.input(groupSchema.pick({ name: true, budget: true, selfService: true })).output(groupSchema),
    /** As `members.update`: a budget or self-service of null is removed. Throws team/unknown-group, team/group-exists. */
    update: call
      .input(
        z.object({
          id: idSchema,
          name: keyNameSchema.optional(),
          budget: teamBudgetSchema.nullable().optional(),
          selfService: groupSchema.shape.selfService.unwrap().nullable().optional(),
        }),
      )
      .output(groupSchema),
    /** Throws team/unknown-group, team/group-not-empty. */
    remove: call.input(z.object({ groupId: idSchema })).output(z.void()),
  },
  keys: {
    list: call.input(z.object({ memberId: idSchema.optional() })).output(z.array(teamKeySchema)),
    /**
     * A member creates keys only for themselves, within their group's self-service: throws team/beyond-self-service otherwise.
     * The secret is never shown again. Throws local-key/name-taken, team/unknown-member.
     */
    add: call
      .input(z.object({ memberId: idSchema, name: keyNameSchema, limits: keyLimitsTextSchema }))
      .output(z.object({ key: teamKeySchema, secret: z.string() })),
    /** Every replica refuses it within a second. Throws local-key/unknown. */
    revoke: call.input(z.object({ keyId: idSchema })).output(z.void()),
  },
  activity: {
    /** The newest first. `next` is null at the end. */
    page: call
      .input(
        activityFilterSchema.extend({
          cursor: z.string().max(200).optional(),
          limit: z.int().min(1).max(200).default(50),
        }),
      )
      .output(z.object({ requests: z.array(teamRequestSchema), next: z.string().nullable() })),
    /** Sums of saved receipts by member, the highest first. */
    byMember: call
      .input(activityFilterSchema.pick({ from: true, until: true }))
      .output(
        z.array(
          z.object({ memberId: idSchema.nullable(), requests: z.int().min(0), charged: picoUsdSchema }),
        ),
      ),
    /** The same rows as a CSV file, at most 100,000. */
    export: call.input(activityFilterSchema).output(z.object({ csv: z.string(), complete: z.boolean() })),
  },
}
