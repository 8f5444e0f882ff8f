import { join } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { LONGEST } from './longest-files.ts'

/**
 * Starts the longest files first, so that all workers end together. Files that share a process come last and in a row: it
 * is kept only while the next one can use it too.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { root } = this.ctx.config
    const places = new Map(LONGEST.map((path, index) => [join(root, path), index]))
    const place = ({ moduleId, project }: TestSpecification): number =>
      (project.config.isolate ? 0 : LONGEST.length + 1) + (places.get(moduleId) ?? LONGEST.length)
    return (await super.sort(files)).sort((a, b) => place(a) - place(b))
  }
}
