import { z } from 'zod'
import { serviceChoiceSchema } from '../profile.ts'
import { statusSchema } from '../status.ts'
import { call, idSchema } from './call.ts'

export const profilesContract = {
  list: call.output(z.array(serviceChoiceSchema)),
  /** Asks for confirmation outside the window. */
  choose: call.input(z.object({ profileId: idSchema })).output(statusSchema),
}
