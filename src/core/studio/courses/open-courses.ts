import type { JobKind } from '../../../shared/job-ask.ts'
import type { GivenFiles } from '../given-files.ts'
import type { LiveSpeech } from '../live-speech.ts'
import { batchCourse, type BatchCourse } from './batch-course.ts'
import type { Course, CourseOptions } from './course.ts'
import { dataCourse } from './data-course.ts'
import { embeddingCourse } from './embedding-course.ts'
import { imageCourse } from './image-course.ts'
import { speechCourse } from './speech-course.ts'
import { transcriptionCourse } from './transcription-course.ts'
import { videoCourse } from './video-course.ts'

/** How each kind of job goes. */
export type Courses = Readonly<Record<JobKind, Course>> & { readonly batch: BatchCourse }

/** One course of each kind, for all of its jobs. */
export function openCourses(options: CourseOptions, given: GivenFiles, live: LiveSpeech): Courses {
  return {
    image: imageCourse(options),
    video: videoCourse(options),
    speech: speechCourse(options, live),
    transcription: transcriptionCourse(options),
    data: dataCourse(options),
    embedding: embeddingCourse(options, given),
    batch: batchCourse(options, given),
  }
}
