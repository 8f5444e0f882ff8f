export function startChoosing(): void {}
