// Pictures and films of what is shown, saved by the browser.

function save(blob: Blob, name: string) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

/** The canvas must have been drawn in this very task. */
export function savePicture(canvas: HTMLCanvasElement, name: string): Promise<void> {
  return new Promise((done, failed) => canvas.toBlob((blob) => {
    if (!blob) return failed(new Error('the browser made no picture'));
    save(blob, name);
    done();
  }, 'image/png'));
}

/** Frame after frame, each as long as it took to come and at least its share of a second: browsers record by the clock. `show` returns
 *  when the frame is on the canvas. */
export async function saveMovie(canvas: HTMLCanvasElement, count: number, perSecond: number, show: (i: number) => Promise<void>,
                                isStopped: () => boolean, name: string): Promise<void> {
  const type = ['video/webm;codecs=vp9', 'video/webm', 'video/mp4'].find((t) => MediaRecorder.isTypeSupported(t));
  if (!type) throw new Error('this browser records no films');
  const stream = canvas.captureStream(0);
  const track = stream.getVideoTracks()[0] as CanvasCaptureMediaStreamTrack;
  const recorder = new MediaRecorder(stream, { mimeType: type, videoBitsPerSecond: 12e6 });
  const parts: Blob[] = [];
  recorder.ondataavailable = (event) => parts.push(event.data);
  const ended = new Promise((done) => (recorder.onstop = done));
  recorder.start();
  for (let i = 0; i < count && !isStopped(); i++) {
    await show(i);
    track.requestFrame();
    await new Promise((done) => setTimeout(done, 1000 / perSecond));
  }
  recorder.stop();
  await ended;
  stream.getTracks().forEach((t) => t.stop());
  save(new Blob(parts, { type }), `${name}.${type.includes('mp4') ? 'mp4' : 'webm'}`);
}
