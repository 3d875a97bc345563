import Rules from '../features/plans/Rules';
import { planGate } from './planGate';

export default planGate(Rules);
