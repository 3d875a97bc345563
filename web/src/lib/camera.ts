import { useEffect, useRef, useState, type RefObject } from 'react';

export type Facing = 'environment' | 'user';
type Step = 'starting' | 'running' | 'denied';

/** The device's camera on a video element while the caller is rendered; `denied` also if there is none. */
export function useCamera(facing: Facing): { video: RefObject<HTMLVideoElement | null>; state: Step } {
  const video = useRef<HTMLVideoElement>(null);
  const [held, setHeld] = useState<{ facing: Facing; step: Step }>();
  useEffect(() => {
    let stream: MediaStream | undefined;
    let left = false;
    const stop = (camera: MediaStream | undefined) => camera?.getTracks().forEach((track) => track.stop());
    const start = async () => {
      try {
        // Plain HTTP has no camera API.
        const camera = await navigator.mediaDevices.getUserMedia({ video: { facingMode: facing, width: { ideal: 1920 }, height: { ideal: 1440 } } });
        if (left) return stop(camera);
        stream = camera;
        if (video.current) video.current.srcObject = camera;
        setHeld({ facing, step: 'running' });
      } catch {
        if (!left) setHeld({ facing, step: 'denied' });
      }
    };
    void start();
    return () => {
      left = true;
      stop(stream);
    };
  }, [facing]);
  return { video, state: held?.facing === facing ? held.step : 'starting' };
}
